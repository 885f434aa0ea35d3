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

document.querySelector('button').addEventListener('click', () => location.reload())
addEventListener('online', () => location.reload())
