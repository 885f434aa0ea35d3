import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { maxTasksPerRequest, takeTasks, type Task } from '../today.contract.ts'

export type TakeResult = { taken: number; notTaken: { reason: string; why: string }[] }

/**
 * Takes several tasks with one request. `onTaken` is called after a response. `onChanged` is called even after an error, so that the list
 * shows who has the tasks now.
 */
export function useTakeTasks({ onTaken, onChanged }: { onTaken: () => void; onChanged: () => void }) {
  const api = useApi()
  const [isPending, setPending] = useState(false)
  const [result, setResult] = useState<TakeResult | null>(null)
  const [error, setError] = useState<Error | null>(null)
  async function take(tasks: readonly Task[]): Promise<void> {
    if (isPending || tasks.length === 0) return
    setPending(true)
    setResult(null)
    setError(null)
    try {
      const ids = tasks.slice(0, maxTasksPerRequest).map(({ id }) => id)
      const { data } = await withFormErrors(api.call(takeTasks, { body: { ids } }))
      setResult({
        taken: data.taken.length,
        notTaken: data.not_taken.map(({ id, why }) => ({
          reason: tasks.find((task) => task.id === id)?.reason ?? '',
          why,
        })),
      })
      onTaken()
    } catch (failure) {
      setError(failure as Error)
    }
    setPending(false)
    onChanged()
  }
  return { take, isPending, result, error }
}
