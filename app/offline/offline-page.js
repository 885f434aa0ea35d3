// Shows the last known allowances, which `app/web/last-readings.ts` stores while their customer is signed in on this device.

function readings() {
  try {
    return JSON.parse(localStorage.getItem('last-readings'))?.readings ?? []
  } catch {
    return []
  }
}

const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })

const items = readings().map(({ name, left, at }) => {
  const item = document.createElement('li')
  item.append(element('h3', name), element('p', left), element('p', `Updated ${at}`))
  return item
})
document.querySelector('ul').append(...items)
document.querySelector('section').hidden = items.length === 0

const again = () => location.reload()
document.querySelector('button').addEventListener('click', again)
addEventListener('online', again)
// A visitor who is leaving for another page must not be interrupted by a reload.
addEventListener('beforeunload', () => removeEventListener('online', again))

// The browser's `online` event is not enough: the network may be back before the listener exists, or fail without the browser noticing.
const firstWaitMs = 2000
const longestWaitMs = 30_000

async function askAgain(waitMs) {
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  try {
    await fetch('/robots.txt', { method: 'HEAD', cache: 'no-store' })
    again()
  } catch {
    await askAgain(Math.min(2 * waitMs, longestWaitMs))
  }
}
// Opened under its own URL, the offline page has no other page to return to.
if (!location.pathname.startsWith('/static/offline/')) void askAgain(firstWaitMs)
