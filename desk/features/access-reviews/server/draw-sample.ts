import { randomInt } from 'node:crypto'

/** Draws `count` different items at random, each equally likely. Returns all items if there are fewer than that. */
export function drawSample<Thing>(things: readonly Thing[], count: number): Thing[] {
  const remainingItems = [...things]
  const drawn: Thing[] = []
  while (drawn.length < count && remainingItems.length > 0) {
    const at = randomInt(remainingItems.length)
    const [thing] = remainingItems.splice(at, 1, ...remainingItems.slice(-1))
    remainingItems.pop()
    drawn.push(thing as Thing)
  }
  return drawn
}
