export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  const wake = () => {
    clearTimeout(timer)
    resolve()
  }
  signal.addEventListener('abort', wake, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', wake))
}
