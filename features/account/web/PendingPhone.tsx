import { useEffect, useRef } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import type { User } from '#features/auth/auth.contract.ts'
import { reloadAccount } from '#features/auth/web/account.queries.ts'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { cancelPhoneChange } from '../contact-details.contract.ts'
import { setUser } from './set-user.ts'
import * as s from './account.module.css'

export function PendingPhone({ user }: { user: User }) {
  const api = useApi()
  const client = useQueryClient()
  const { error, isPending, isSuccess, mutate } = useMutation({
    mutationFn: () =>
      api.call(cancelPhoneChange, {}).catch((failure: unknown) => {
        // The customer may already have followed the link in another tab or on another device, so reload the account.
        void reloadAccount(api, client)
        throw failure
      }),
    onSuccess: ({ data }) => setUser(client, data.user),
  })
  const pendingVerification = user.email_verification
  return (
    <>
      {pendingVerification && (
        <Banner kind="warn" title={`${pendingVerification.phone_display} is not confirmed yet`}>
          <p>
            Click the link in the email that we sent to <EmailAddress of={user.email} />.{' '}
            <Link href="/account/contact-details/phone-confirm/">How to confirm</Link>
          </p>
          <BusyButton
            kind="quiet"
            className={s.inBanner}
            busy={isPending}
            busyText="CANCELLING"
            onClick={() => void mutate()}
          >
            Cancel this change
          </BusyButton>
        </Banner>
      )}
      <CancelOutcome
        text={!pendingVerification && isSuccess ? phoneUnchangedMessage(user) : null}
        error={pendingVerification ? error : null}
      />
    </>
  )
}

const phoneUnchangedMessage = ({ phone_display }: User): string =>
  phone_display
    ? `We’ve cancelled the change. Your contact phone number is still ${phone_display}.`
    : 'We’ve cancelled the change.'

function CancelOutcome({ text, error }: { text: string | null; error: Error | null }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text) ref.current?.focus({ preventScroll: true })
  }, [text])
  return (
    <div ref={ref} role="status" tabIndex={-1}>
      {text && <Banner kind="good">{text}</Banner>}
      {error && <FailureBanner error={error} />}
    </div>
  )
}
