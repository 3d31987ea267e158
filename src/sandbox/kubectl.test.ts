import { clientSuite } from './testdata/client/client-suite.ts'
import { kubectlCases } from './testdata/kubectl/cases.ts'

clientSuite('kubectl', kubectlCases)
