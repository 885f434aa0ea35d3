import { randomInt } from 'node:crypto'

/**
 * Draws `count` things at random, each with the same chance and none twice. Returns all things when there are fewer.
 */
export function draw<Thing>(things: readonly Thing[], count: number): Thing[] {
  const left = [...things]
  const drawn: Thing[] = []
  while (drawn.length < count && left.length > 0) {
    const at = randomInt(left.length)
    const [thing] = left.splice(at, 1, ...left.slice(-1))
    left.pop()
    drawn.push(thing as Thing)
  }
  return drawn
}
