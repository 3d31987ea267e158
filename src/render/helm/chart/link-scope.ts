import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** Where a symlink of a chart leads: inside of the chart, to a place that is followed with a warning, or to one that is not. */
export type LinkScope = 'chart' | 'followed' | 'refused'

/**
 * Decides about the targets of a chart's symlinks, by real paths. Helm follows every link. Here a link may lead anywhere in the git
 * repository that the chart lies in, but not into its `.git`, which may hold credentials. Without a repository it may lead into
 * a chart that stands beside this one. With `followAll` it may lead anywhere.
 */
export function linkScope(chart: string, followAll: boolean): (target: string) => LinkScope {
  let repository: string | undefined | null = null
  return (target) => {
    if (isInside(target, chart)) return 'chart'
    if (followAll) return 'followed'
    if (repository === null) repository = repositoryOf(chart)
    const isFollowed = repository === undefined ? isInSibling(target, chart) : isInRepository(target, repository)
    return isFollowed ? 'followed' : 'refused'
  }
}

/** The nearest folder above that holds `.git`, which is a file in worktrees and submodules. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

function isInRepository(target: string, repository: string): boolean {
  return isInside(target, repository) && !relative(repository, target).split(sep).includes('.git')
}

function isInSibling(target: string, chart: string): boolean {
  const parent = dirname(chart)
  if (!isInside(target, parent)) return false
  const [name = ''] = relative(parent, target).split(sep)
  return name !== '' && existsSync(join(parent, name, 'Chart.yaml'))
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
