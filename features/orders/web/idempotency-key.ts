const stored = (purpose: string): string => `fantail.key.${purpose}`

/**
 * The key of one purchase, made with its form and kept for this tab until a definite answer was shown: a lost answer,
 * a refresh and a second press all carry the same one.
 */
export function idempotencyKey(purpose: string): string {
  const kept = read(purpose)
  if (kept) return kept
  const key = newKey()
  write(purpose, key)
  return key
}

/** The purchase is settled, one way or the other: the next press is another one. */
export function settleKey(purpose: string): void {
  made.delete(purpose)
  try {
    sessionStorage.removeItem(stored(purpose))
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

// For browsers that refuse storage: at least two presses on one page are one purchase.
const made = new Map<string, string>()

function read(purpose: string): string | null {
  try {
    return sessionStorage.getItem(stored(purpose)) ?? made.get(purpose) ?? null
  } catch {
    return made.get(purpose) ?? null
  }
}

function write(purpose: string, key: string): void {
  made.set(purpose, key)
  try {
    sessionStorage.setItem(stored(purpose), key)
  } catch {
    // Kept in `made`.
  }
}

// crypto.randomUUID is missing on plain http; random bytes are not.
const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
