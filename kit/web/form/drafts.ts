/** Never kept, whatever a form forgets to leave out. */
const secret = /^credit-card-|password|otp/

const keyOf = (key: string) => `draft:${key}`

/**
 * What the visitor had typed into this form before a reload, for as long as the tab lives.
 * Only fields of `initial` with a value of the same type come back.
 */
export function readDraft<V extends object>(key: string, initial: V, omit: readonly string[]): Partial<V> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(key)) ?? '{}')
    const entries = Object.entries(stored ?? {}).filter(([name, value]) => {
      const was = (initial as Record<string, unknown>)[name]
      return name in initial && isKept(name, omit) && (was === null || was === undefined || typeof was === typeof value)
    })
    return Object.fromEntries(entries) as Partial<V>
  } catch {
    return {}
  }
}

/** Storage may be full or switched off: a draft is a comfort, not a promise. */
export function writeDraft(key: string, values: object, omit: readonly string[]): void {
  try {
    const kept = Object.entries(values).filter(([name]) => isKept(name, omit))
    sessionStorage.setItem(keyOf(key), JSON.stringify(Object.fromEntries(kept)))
  } catch {
    return
  }
}

export function clearDraft(key: string): void {
  try {
    sessionStorage.removeItem(keyOf(key))
  } catch {
    return
  }
}

const isKept = (name: string, omit: readonly string[]) => !secret.test(name) && !omit.includes(name)
