import { kindName } from '../../../gotemplate/type-name.ts'
import { GoError, type GoMap } from '../../../gotemplate/value.ts'
import { define, type FunctionFamily } from '../define-function.ts'
import { formatUrl, formatUser, type GoUrl, hostName, parseUrl } from './go-url.ts'
import { newMap } from '../dicts/make-value.ts'

/** Sprig's URLs, and the network that templates do not have. */
export const urlFunctions: FunctionFamily = {
  urlParse: define(['string'], (text) => {
    const url = inWords('unable to parse url', () => parseUrl(text))
    const map = newMap()
    map['scheme'] = url.scheme
    map['host'] = url.host
    map['hostname'] = hostName(url.host)
    map['path'] = url.path
    map['query'] = url.query
    map['opaque'] = url.opaque
    map['fragment'] = url.fragment
    map['userinfo'] = url.user === undefined ? '' : formatUser(url.user)
    return map
  }),
  urlJoin: define(['map[string]interface {}'], (map) => {
    const userinfo = entry(map, 'userinfo')
    const scheme = entry(map, 'scheme')
    return formatUrl({
      scheme,
      host: entry(map, 'host'),
      path: entry(map, 'path'),
      query: entry(map, 'query'),
      opaque: entry(map, 'opaque'),
      fragment: entry(map, 'fragment'),
      user:
        userinfo === ''
          ? undefined
          : inWords('unable to parse userinfo in dict', () => parseUrl(`proto://${userinfo}@host`)).user,
      rawPath: '',
      rawFragment: '',
      forceQuery: false,
    })
  }),
  // Helm gives nothing unless asked to allow DNS: a name could carry data out of the render.
  getHostByName: define(['string'], () => ''),
}

function entry(map: GoMap, key: string): string {
  if (!(key in map)) return ''
  const value = map[key]
  if (typeof value === 'string') return value
  throw new GoError(`unable to parse ${key} key, must be of type string, but ${kindName(value)} found`)
}

function inWords(words: string, action: () => GoUrl): GoUrl {
  try {
    return action()
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`${words}: ${error.message}`)
    throw error
  }
}
