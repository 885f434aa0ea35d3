import { ApiError } from '#kit/contract/errors.ts'

/** That something is not there is an answer like any other: it is kept, and comes with the page. */
export async function orNull<T>(asking: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await asking).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
