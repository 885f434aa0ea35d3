import * as v from 'valibot'
import { cleanCode } from '#kit/contract/clean-text.ts'
import { singleLineText } from '#kit/server/config/parse-json.ts'

const taxNumberSchema = (isValid: (digits: number[]) => boolean, message: string) =>
  v.pipe(
    singleLineText(30),
    v.transform(cleanCode),
    v.check(
      (text) => /^\d(?:[ -]?\d)*$/.test(text) && isValid(text.replaceAll(/\D/g, '').split('').map(Number)),
      message,
    ),
  )

/** The number of a company's GST registration in each market, which is also its IRD number or its ABN. */
export const taxNumberSchemas = {
  NZ: taxNumberSchema(isIrdNumber, 'must be a GST number with a correct check digit, such as 49-091-850.'),
  AU: taxNumberSchema(isAbn, 'must be an ABN with correct check digits, such as 51 824 753 556.'),
}

const sumOfProducts = (digits: readonly number[], weights: readonly number[]): number =>
  digits.reduce((sum, digit, index) => sum + digit * (weights[index] ?? 0), 0)

const irdWeights = [
  [3, 2, 7, 6, 5, 4, 3, 2],
  [7, 4, 3, 2, 5, 2, 7, 6],
]

/** Whether an IRD number of 8 or 9 digits has the right check digit. The second weights apply if the first ones result in 10. */
function isIrdNumber(digits: number[]): boolean {
  if (digits.length !== 8 && digits.length !== 9) return false
  const body = digits.slice(0, -1)
  // The lowest number issued is 10-000-000.
  if (Number(body.join('')) < 1_000_000) return false
  const padded = body.length === 7 ? [0, ...body] : body
  const checkDigits = irdWeights.map((weights) => (11 - (sumOfProducts(padded, weights) % 11)) % 11)
  return (checkDigits.find((digit) => digit !== 10) ?? -1) === digits.at(-1)
}

const abnWeights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

/** Whether an ABN of 11 digits has the right check digits. */
function isAbn(digits: number[]): boolean {
  const [first = 0, ...rest] = digits
  return digits.length === 11 && first > 0 && sumOfProducts([first - 1, ...rest], abnWeights) % 89 === 0
}
