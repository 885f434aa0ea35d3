import { useState } from 'react'

type Mutation = { status: 'idle' | 'pending' | 'success' | 'error'; error: Error | null }

type Options<T> = {
  mutationFn: () => Promise<T>
  /** Counts as part of it. */
  onSuccess?: (answer: T) => void
}

export type MutationResult = {
  error: Error | null
  isPending: boolean
  isError: boolean
  isSuccess: boolean
  mutate(): Promise<void>
}

/** Something that a page does once, at the press of a button: whether it is under way, and how it has ended. */
export function useMutation<T>({ mutationFn, onSuccess }: Options<T>): MutationResult {
  const [{ status, error }, setMutation] = useState<Mutation>({ status: 'idle', error: null })

  async function mutate(): Promise<void> {
    setMutation({ status: 'pending', error: null })
    try {
      // First of all: what stands in an optional call is not done where there is nothing to call.
      const answer = await mutationFn()
      onSuccess?.(answer)
      setMutation({ status: 'success', error: null })
    } catch (failure) {
      setMutation({ status: 'error', error: failure as Error })
    }
  }

  return {
    error,
    isPending: status === 'pending',
    isError: status === 'error',
    isSuccess: status === 'success',
    mutate,
  }
}
