/** Fields that are never stored, even if a form forgets to omit them. */
const secret = /^credit-card-|password|otp/

const keyOf = (key: string) => `draft:${key}`

export function readDraft<V extends object>(key: string, initial: V, omit: readonly string[]): Partial<V> {
  const entries = attempt(() => Object.entries(JSON.parse(sessionStorage.getItem(keyOf(key)) ?? '{}') ?? {}))?.filter(
    ([name, value]) => {
      const was = (initial as Record<string, unknown>)[name]
      return name in initial && isKept(name, omit) && (was === null || was === undefined || typeof was === typeof value)
    },
  )
  return Object.fromEntries(entries ?? []) as Partial<V>
}

export function writeDraft(key: string, values: object, omit: readonly string[]): void {
  const kept = Object.entries(values).filter(([name]) => isKept(name, omit))
  attempt(() => sessionStorage.setItem(keyOf(key), JSON.stringify(Object.fromEntries(kept))))
}

export const clearDraft = (key: string): void => attempt(() => sessionStorage.removeItem(keyOf(key)))

/** Storage may be full or switched off, and a draft is only a convenience. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const isKept = (name: string, omit: readonly string[]) => !secret.test(name) && !omit.includes(name)
