/** Of the acts about a caller: by which way the PIN went, and at which try it was right. Of any other act nothing. */
export function callerWords(event: string, details: string): string {
  if (event !== 'caller_pin_sent' && event !== 'caller_pin_wrong' && event !== 'caller_verified') return ''
  const { by, tries } = JSON.parse(details) as { by?: string; tries?: number }
  const way = by === 'mail' ? 'PIN by mail' : 'PIN by text'
  if (event === 'caller_pin_sent' || tries === undefined) return way
  const turn = `the ${['first', 'second', 'third', 'fourth', 'fifth'][tries - 1] ?? 'last'} try`
  return event === 'caller_verified' ? `${way}, read out right at ${turn}` : `${way}, ${turn}`
}
