import type { GoFunction } from '../../gotemplate/value.ts'
import { certificateFunctions } from './certificate-functions.ts'
import { cryptoFunctions } from './crypto-functions.ts'
import { dateFunctions } from './date-functions.ts'
import { defaultFunctions } from './default-functions.ts'
import { dictFunctions } from './dict-functions.ts'
import { durationFunctions } from './duration-functions.ts'
import { encodingFunctions } from './encoding-functions.ts'
import type { FunctionEnvironment } from './environment.ts'
import { named } from './define-function.ts'
import { jsonFunctions } from './json-functions.ts'
import { listFunctions } from './list-functions.ts'
import { mathFunctions } from './math-functions.ts'
import { pathFunctions } from './path-functions.ts'
import { regexFunctions } from './regex-functions.ts'
import { semverFunctions } from './semver-functions.ts'
import { stringFunctions } from './string-functions.ts'
import { tomlFunctions } from './toml-functions.ts'
import { urlFunctions } from './url-functions.ts'
import { yamlFunctions } from './yaml-functions.ts'

/** Sprig's functions and Helm's data formats, by name; `helmFunctions` adds those that need the templates. */
export function functionTable(environment: FunctionEnvironment): Record<string, GoFunction> {
  return named({
    ...stringFunctions(environment),
    ...listFunctions(environment),
    ...dictFunctions(environment),
    ...mathFunctions(environment),
    ...defaultFunctions,
    ...dateFunctions(environment),
    ...durationFunctions,
    ...encodingFunctions,
    ...cryptoFunctions(environment),
    ...certificateFunctions(environment),
    ...regexFunctions(environment),
    ...semverFunctions,
    ...pathFunctions,
    ...urlFunctions,
    ...jsonFunctions(environment),
    ...yamlFunctions(environment),
    ...tomlFunctions(environment),
  })
}
