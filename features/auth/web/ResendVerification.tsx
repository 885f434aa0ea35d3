import type { ReactNode } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { resendVerification, verifyMessages } from '../verify.contract.ts'
import { reloadAccount } from './account.queries.ts'
import { FailureBanner } from './FailureBanner.tsx'
import * as s from './AuthFrame.module.css'

export function ResendVerification({ children }: { children: ReactNode }) {
  const api = useApi()
  const client = useQueryClient()
  const resendMutation = useMutation({
    mutationFn: () => api.call(resendVerification, {}),
    // If the address has already been confirmed, for example on a phone, no email is sent. Reloading the account lets the guard redirect.
    onSuccess: () => void reloadAccount(api, client),
  })
  return (
    <div className={s.said}>
      <p>{children}</p>
      <div role="status">
        {resendMutation.isSuccess && <Banner kind="good">{verifyMessages.resent}</Banner>}
        {resendMutation.isError && <FailureBanner error={resendMutation.error} />}
      </div>
      <BusyButton wide busy={resendMutation.isPending} busyText="SENDING" onClick={() => void resendMutation.mutate()}>
        RESEND
      </BusyButton>
    </div>
  )
}
