import { kubectlCases } from '../src/sandbox/testdata/kubectl/cases.ts'
import { clientParity } from './client-parity.ts'

clientParity('kubectl', kubectlCases)
