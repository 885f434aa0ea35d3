/**
 * Returns a generator of pseudo-random numbers (mulberry32) in the range from 0 (inclusive) to 1 (exclusive). The same seed always gives
 * the same numbers, so results are reproducible.
 */
export function createRandomGenerator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a random factor around 1 with a log-normal distribution. A larger `spread` gives a heavier tail. */
export function sampleLogNormal(random: () => number, spread: number): number {
  const bell = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.exp(spread * bell - (spread * spread) / 2)
}
