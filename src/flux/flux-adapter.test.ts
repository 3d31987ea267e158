import { afterAll, beforeAll, describe, it } from 'vitest'
import { adapterContract } from '../deployment/contract/index.ts'
import { openFlux } from './testdata/open-flux.ts'

adapterContract({ describe, it, beforeAll, afterAll }, 'the Flux adapter on the sandbox', openFlux)
