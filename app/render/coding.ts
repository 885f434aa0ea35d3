/** Browsers send five codings. */
const mostCodings = 20

export function codingOf(accepted = '', available: { br?: unknown; gzip?: unknown }): 'br' | 'gzip' | null {
  const named = accepted.split(',', mostCodings).map((part) => part.split(';').map((word) => word.trim().toLowerCase()))
  const takes = (coding: string): boolean =>
    named.some(
      ([name, ...rest]) => name === coding && Number(rest.find((word) => word.startsWith('q='))?.slice(2) ?? 1) > 0,
    )
  if (available.br && takes('br')) return 'br'
  return available.gzip && takes('gzip') ? 'gzip' : null
}
