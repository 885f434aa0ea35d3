import { randomInt } from 'node:crypto'

/** Draws `count` different items at random, each equally likely. Returns all items if there are fewer than that. */
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
