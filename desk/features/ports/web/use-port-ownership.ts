import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { releasePort, assignPortToSelf } from '../ports.contract.ts'

export function usePortOwnership(onChanged: () => void) {
  const api = useApi()
  const [error, setError] = useState<Error | null>(null)
  const changeOwnership = async (
    endpoint: typeof assignPortToSelf | typeof releasePort,
    reference: string,
  ): Promise<void> => {
    setError(null)
    await withFormErrors(api.call(endpoint, { params: { reference } })).catch(setError)
    onChanged()
  }
  return {
    take: (reference: string) => void changeOwnership(assignPortToSelf, reference),
    handBack: (reference: string) => void changeOwnership(releasePort, reference),
    error,
  }
}
