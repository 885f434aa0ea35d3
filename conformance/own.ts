import type { Settings } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What says where a suite goes. */
export type Target = {
  /** The setting that has the address. */
  url: string
  /** The setting that has the account, where one address serves many. */
  account?: string
  /** Hosts at which nothing real can happen, beside this machine. */
  isTestHost?(host: string): boolean
  /** Hosts at which only real things happen. */
  isLiveHost?(host: string): boolean
}

/**
 * Why the suite does not go there: it may be what the product itself uses. Null when it may, which for such an address takes
 * that its host was typed. The environment is only looked at to refuse.
 */
export function refusalOf(
  settings: Settings,
  target: Target,
  { environment, live }: { environment: Environment; live: string | null },
): string | null {
  const host = hostOf(settings[target.url])
  if (live !== null && live !== host) return `--live says ${live}, and the file ${host}.`
  if (live !== null) return null
  const why = suspicionOf(settings, target, environment)
  return why && `${why} Real things would happen there. If that is what you want: --live ${host}`
}

function suspicionOf(settings: Settings, target: Target, environment: Environment): string | null {
  const host = hostOf(settings[target.url])
  const [ownUrl, ownAccount] = [environment[target.url], target.account && environment[target.account]]
  if (ownAccount && ownAccount === settings[target.account!])
    return `${target.account} of the file is the product’s own.`
  // An address that serves many accounts is the product's own by the account.
  if (ownUrl && hostOf(ownUrl) === host && !ownAccount)
    return `${target.url} of the file is on the product’s own host, ${host}.`
  if (target.isLiveHost?.(host)) return `${host} is a live one.`
  if (ownUrl || isThisMachine(host) || target.isTestHost?.(host)) return null
  return `Nothing here says which ${target.url} the product uses: ${host} may be it.`
}

/** Host and port in one form; '' for what is no address. */
export function hostOf(url: string | undefined): string {
  if (!url || !URL.canParse(url)) return ''
  const { hostname, port, protocol } = new URL(url)
  const usual = { 'https:': '443', 'http:': '80', 'smtp:': '587', 'smtps:': '465' }[protocol]
  return (port === '' || port === usual ? hostname : `${hostname}:${port}`).toLowerCase()
}

const isThisMachine = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(host)
