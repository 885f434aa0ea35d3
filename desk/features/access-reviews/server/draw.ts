import { randomInt } from 'node:crypto'

/** Draws `count` different items at random, each with the same chance. Returns all items when there are fewer. */
export function draw<Thing>(things: readonly Thing[], count: number): Thing[] {
  const remaining = [...things]
  const drawn: Thing[] = []
  while (drawn.length < count && remaining.length > 0) {
    const at = randomInt(remaining.length)
    const [thing] = remaining.splice(at, 1, ...remaining.slice(-1))
    remaining.pop()
    drawn.push(thing as Thing)
  }
  return drawn
}
