import { ApiError } from '#kit/contract/errors.ts'

function getErrorMessage(body: unknown): string | null {
  const { code, __all__: all } = (body ?? {}) as { code?: unknown; __all__?: unknown }
  const message = Array.isArray(all) ? all[0] : code
  return typeof message === 'string' ? message : null
}

/**
 * Turns a 403, 409 or 413 response into a form error with the response's message, because desk staff can act on it.
 * @throws ApiError with status 400, which a form displays
 */
export async function withFormErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (failure) {
    if (!(failure instanceof ApiError) || ![403, 409, 413].includes(failure.status)) throw failure
    const errorMessage = getErrorMessage(failure.body)
    throw errorMessage ? new ApiError(400, { __all__: [errorMessage] }) : failure
  }
}
