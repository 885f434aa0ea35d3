export type Random = {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Returns an integer between the bounds, including both bounds. */
  between(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  chance(probability: number): boolean
  /** Returns an independent generator. The numbers drawn from one generator do not depend on how many have been drawn from another. */
  branch(name: string): Random
}

/** Creates a Mulberry32 generator, which is simple and produces the same numbers on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const randomBetween = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between: randomBetween,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('there is nothing to pick from')
      return from[randomBetween(0, from.length - 1)] as T
    },
    chance: (probability) => next() < probability,
    branch: (name) => createRandom(hashText(`${seed} ${name}`)),
  }
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
