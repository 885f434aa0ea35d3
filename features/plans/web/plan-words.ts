import { cyclesOf, formatData } from '#kit/contract/plans.ts'
import type { Product } from '../plans.contract.ts'

type Shape = Pick<Product, 'length' | 'data_gb'>

/** How often the data of a plan is given: `'every 30 days, 3 times'`, or once `'to use in 7 days'`; a line ends at the comma. */
export function dataRhythm({ length }: Shape): string {
  const cycles = cyclesOf(length)
  return cycles > 1 ? `every 30\u00A0days, ${cycles}\u00A0times` : `to use in ${length}\u00A0days`
}

/** All of a plan's data in a few words: `'25 GB, three times'`. */
export function dataInAll({ length, data_gb }: Shape): string {
  const cycles = cyclesOf(length)
  return cycles > 1 ? `${formatData(data_gb)}, ${timesInWords(cycles)}` : formatData(data_gb)
}

const words = ['once', 'twice', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']

/** In figures from thirteen. */
function timesInWords(times: number): string {
  const word = words[times - 1] ?? String(times)
  return times < 3 ? word : `${word} times`
}
