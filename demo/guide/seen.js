const key = 'demo-mail-seen'
const seen = new Set(read())

export const isSeen = (id) => seen.has(id)

/** Remembers that a message was opened, beyond a reload where the browser allows it. */
export function see(id) {
  seen.add(id)
  try {
    localStorage.setItem(key, JSON.stringify([...seen]))
  } catch {
    // Storage is full or forbidden: what was read is then known until the page is left.
  }
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}
