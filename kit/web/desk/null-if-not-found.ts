import { ApiError } from '#kit/contract/errors.ts'

/** Turns a 404 into `null`, so that the server caches and renders a missing resource like any other data. */
export async function nullIfNotFound<T>(request: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await request).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
