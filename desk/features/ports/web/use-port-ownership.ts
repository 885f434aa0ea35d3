import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { releasePort, takePort } from '../ports.contract.ts'

export function usePortOwnership(onChanged: () => void) {
  const api = useApi()
  const [error, setError] = useState<Error | null>(null)
  const callAndRefresh = async (endpoint: typeof takePort | typeof releasePort, reference: string): Promise<void> => {
    setError(null)
    await withFormErrors(api.call(endpoint, { params: { reference } })).catch(setError)
    onChanged()
  }
  return {
    take: (reference: string) => void callAndRefresh(takePort, reference),
    handBack: (reference: string) => void callAndRefresh(releasePort, reference),
    error,
  }
}
