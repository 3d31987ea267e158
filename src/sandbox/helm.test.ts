import { clientSuite } from './testdata/client/client-suite.ts'
import { helmCases } from './testdata/helm/cases.ts'

clientSuite('helm', helmCases)
