import { ApiError } from '#kit/contract/errors.ts'

/** A refusal's own sentence. */
function sentenceIn(body: unknown): string | null {
  const { code, __all__: all } = (body ?? {}) as { code?: unknown; __all__?: unknown }
  const said = Array.isArray(all) ? all[0] : code
  return typeof said === 'string' ? said : null
}

/**
 * Has a refusal told in its own words: at the desk a no is for a person who can do something about it.
 * @throws ApiError of 400, as a form shows it
 */
export async function inWords<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (failure) {
    if (!(failure instanceof ApiError) || ![403, 409, 413].includes(failure.status)) throw failure
    const sentence = sentenceIn(failure.body)
    throw sentence ? new ApiError(400, { __all__: [sentence] }) : failure
  }
}
