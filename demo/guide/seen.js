const key = 'demo-mail-seen'
const seen = new Set(read())

export const isSeen = (id) => seen.has(id)

/** Remembers that a message was opened, even after a reload if the browser's storage is available. */
export function see(id) {
  seen.add(id)
  try {
    localStorage.setItem(key, JSON.stringify([...seen]))
  } catch {
    // If storage is full or disabled, opened messages are remembered until the visitor leaves the page.
  }
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}
