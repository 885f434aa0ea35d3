import type { Deps } from './deps.ts'

const retryMs = 10_000

export function maintainSubscription(
  { network, log }: Pick<Deps, 'network' | 'log'>,
  callbackUrl: string,
): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const subscribe = (): void => {
    network.subscribe(callbackUrl).catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'the network has not accepted our subscription yet')
      if (!stopped) timer = setTimeout(subscribe, retryMs)
    })
  }
  subscribe()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
