/** Matches fields that are never stored in a draft, even if a form forgets to omit them. */
const secretFieldPattern = /^credit-card-|password|otp/

const keyOf = (key: string) => `draft:${key}`

export function readDraft<V extends object>(key: string, initial: V, omit: readonly string[]): Partial<V> {
  const entries = tryStorageAction(() =>
    Object.entries(JSON.parse(sessionStorage.getItem(keyOf(key)) ?? '{}') ?? {}),
  )?.filter(([name, value]) => {
    const initialValue = (initial as Record<string, unknown>)[name]
    return (
      name in initial &&
      isStored(name, omit) &&
      (initialValue === null || initialValue === undefined || typeof initialValue === typeof value)
    )
  })
  return Object.fromEntries(entries ?? []) as Partial<V>
}

export function writeDraft(key: string, values: object, omit: readonly string[]): void {
  const storedEntries = Object.entries(values).filter(([name]) => isStored(name, omit))
  tryStorageAction(() => sessionStorage.setItem(keyOf(key), JSON.stringify(Object.fromEntries(storedEntries))))
}

export const clearDraft = (key: string): void => tryStorageAction(() => sessionStorage.removeItem(keyOf(key)))

/**
 * Runs work that uses the storage. Returns undefined if the storage fails, because it may be full or disabled, and a draft is only a
 * convenience.
 */
function tryStorageAction<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const isStored = (name: string, omit: readonly string[]) => !secretFieldPattern.test(name) && !omit.includes(name)
