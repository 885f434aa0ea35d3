// Of the last readings, which `app/web/last-readings.ts` keeps, as long as their customer is signed in here.

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
// Whoever is on the way to another page is not held back by this one.
addEventListener('beforeunload', () => removeEventListener('online', again))

// The network may be back before anybody listens, or have been away without the browser's noticing.
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
// Opened as itself it has nothing to come back to.
if (!location.pathname.startsWith('/static/offline/')) void askAgain(firstWaitMs)
