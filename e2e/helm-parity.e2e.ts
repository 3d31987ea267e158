import { helmCases } from '../src/sandbox/testdata/helm/cases.ts'
import { clientParity } from './client-parity.ts'

clientParity('helm', helmCases)
