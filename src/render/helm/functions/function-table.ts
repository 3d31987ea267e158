import type { GoFunction } from '../../gotemplate/value.ts'
import { certificateFunctions } from './crypto/certificate-functions.ts'
import { cryptoFunctions } from './crypto/crypto-functions.ts'
import { dateFunctions } from './date/date-functions.ts'
import { defaultFunctions } from './defaults/default-functions.ts'
import { dictFunctions } from './dicts/dict-functions.ts'
import { durationFunctions } from './date/duration-functions.ts'
import { encodingFunctions } from './encoding/encoding-functions.ts'
import type { FunctionEnvironment } from './environment.ts'
import { named } from './define-function.ts'
import { jsonFunctions } from './formats/json-functions.ts'
import { listFunctions } from './lists/list-functions.ts'
import { mathFunctions } from './math/math-functions.ts'
import { pathFunctions } from './paths/path-functions.ts'
import { regexFunctions } from './strings/regex-functions.ts'
import { semverFunctions } from './semver/semver-functions.ts'
import { stringFunctions } from './strings/string-functions.ts'
import { tomlFunctions } from './formats/toml-functions.ts'
import { urlFunctions } from './urls/url-functions.ts'
import { yamlFunctions } from './formats/yaml-functions.ts'

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
