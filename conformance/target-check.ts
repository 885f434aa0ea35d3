import type { Settings } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type Target = {
  url: string
  account?: string
  isTestHost?(host: string): boolean
  isLiveHost?(host: string): boolean
}

/**
 * Returns why the suite must not run against a target, or `null` if it may. If the address looks like a live system,
 * the operator must have typed the host in `--live`. The environment can only give further reasons to refuse.
 */
export function refusalReason(
  settings: Settings,
  target: Target,
  { environment, live }: { environment: Environment; live: string | null },
): string | null {
  const host = getNormalisedHost(settings[target.url])
  if (live !== null && live !== host) return `--live names ${live}, but the file names ${host}.`
  if (live !== null) return null
  const why = getLiveTargetProblem(settings, target, environment)
  return (
    why &&
    `${why} Real orders and payments could be made there. To run the suite against this host anyway, add --live ${host}`
  )
}

function getLiveTargetProblem(settings: Settings, target: Target, environment: Environment): string | null {
  const host = getNormalisedHost(settings[target.url])
  const [ownUrl, ownAccount] = [environment[target.url], target.account && environment[target.account]]
  if (ownAccount && ownAccount === settings[target.account!])
    return `The file has the same ${target.account} that Fantail uses.`
  // If a provider uses the same URL for all accounts, only the account shows whether a target is the one that Fantail uses.
  if (ownUrl && getNormalisedHost(ownUrl) === host && !ownAccount)
    return `The file’s ${target.url} is on ${host}, the host that Fantail uses.`
  if (target.isLiveHost?.(host)) return `${host} is a live host, not a test host.`
  if (ownUrl || isLocalhost(host) || target.isTestHost?.(host)) return null
  return `The environment does not say which ${target.url} Fantail uses: it may be ${host}.`
}

export function getNormalisedHost(url: string | undefined): string {
  if (!url || !URL.canParse(url)) return ''
  const { hostname, port, protocol } = new URL(url)
  const defaultPort = { 'https:': '443', 'http:': '80', 'smtp:': '587', 'smtps:': '465' }[protocol]
  return (port === '' || port === defaultPort ? hostname : `${hostname}:${port}`).toLowerCase()
}

const isLocalhost = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(host)
