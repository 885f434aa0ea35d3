import { useState } from 'react'

type Mutation = { status: 'idle' | 'pending' | 'success' | 'error'; error: Error | null }

type Options<T> = {
  mutationFn: () => Promise<T>
  /** Receives the response. It runs as part of the mutation, so an error here makes the mutation fail. */
  onSuccess?: (answer: T) => void
}

export type MutationResult = {
  error: Error | null
  isPending: boolean
  isError: boolean
  isSuccess: boolean
  mutate(): Promise<void>
}

export function useMutation<T>({ mutationFn, onSuccess }: Options<T>): MutationResult {
  const [{ status, error }, setMutation] = useState<Mutation>({ status: 'idle', error: null })

  async function mutate(): Promise<void> {
    setMutation({ status: 'pending', error: null })
    try {
      // `mutationFn` is called separately: as an argument to the optional call below, it would not run without `onSuccess`.
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
