import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import * as s from './ResendMail.module.css'

/**
 * Emails a password reset link to a signed-in customer, because the forgotten-password page is only for signed-out
 * visitors.
 */
export function EmailResetLink({ email }: { email: string }) {
  const api = useApi()
  const [sentMessage, setSentMessage] = useState('')
  const { error, isPending, isSuccess, mutate } = useMutation({
    async mutationFn() {
      const { requestPasswordReset, resetRequestMessages } = await import('#features/auth/reset-request.contract.ts')
      await api.call(requestPasswordReset, { body: { email, next: '' } })
      return resetRequestMessages.sent
    },
    onSuccess: setSentMessage,
  })
  return (
    <div className={s.resend}>
      <p>Forgotten your current password?</p>
      <BusyButton kind="quiet" busy={isPending} busyText="SENDING" onClick={() => void mutate()}>
        EMAIL ME A LINK
      </BusyButton>
      <div className={s.answer} role="status">
        {isSuccess && <Banner kind="good">{sentMessage}</Banner>}
        {error && <FailureBanner error={error} />}
      </div>
    </div>
  )
}
