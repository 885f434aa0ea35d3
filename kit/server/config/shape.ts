/** Where what is wrong with the environment is told, a line each. */
export type Fault = (line: string) => void

/** What a value must look like, and how that is said. */
export type Shape = { is(value: string): boolean; shape: string }

export const isUrlOf =
  (schemes: RegExp) =>
  (value: string): boolean =>
    URL.canParse(value) && schemes.test(new URL(value).protocol)

export const anHttpAddress: Shape = { is: isUrlOf(/^https?:$/), shape: 'an http or https address' }
