import { useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { keepAccount, privacyMessages } from '../privacy.contract.ts'
import * as s from './privacy.module.css'

/**
 * The page behind the link in an erasure email. Cancelling the erasure takes a click, so that software that opens links
 * automatically cannot cancel it.
 */
export default function KeepPage() {
  const api = useApi()
  const { search } = useRawLocation()
  const { help } = useBootstrap().brand
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const keepAccountMutation = useMutation({ mutationFn: () => api.call(keepAccount, { body: { token } }) })
  const isRejected =
    token === '' || (keepAccountMutation.error instanceof ApiError && keepAccountMutation.error.status === 400)
  return (
    <div className={s.alone}>
      <PageTitle>Keep Your Account</PageTitle>
      <Card>
        <div role="status">
          {keepAccountMutation.isSuccess && <Banner kind="good">{privacyMessages.calledOff}</Banner>}
          {isRejected && <Banner kind="bad">{privacyMessages.linkInvalid}</Banner>}
          {keepAccountMutation.isError && !isRejected && <FailureBanner error={keepAccountMutation.error} />}
        </div>
        {!keepAccountMutation.isSuccess && !isRejected && (
          <>
            <p>
              We were asked to delete this account and the data we hold about its owner. Do you want to keep the
              account?
            </p>
            <BusyButton
              className={s.act ?? ''}
              busy={keepAccountMutation.isPending}
              busyText="One moment"
              onClick={() => void keepAccountMutation.mutate()}
            >
              Keep my account
            </BusyButton>
          </>
        )}
        {(keepAccountMutation.isSuccess || isRejected) && (
          <>
            <p className={s.lead}>
              {keepAccountMutation.isSuccess && (
                <span>If you didn’t ask us to delete your account, change your password. </span>
              )}
              <span>
                Need a person? Call {help.phone}, {help.hours}.
              </span>
            </p>
            <Button kind="quiet" className={s.act ?? ''} href="/account/change-password/">
              Change my password
            </Button>
          </>
        )}
      </Card>
    </div>
  )
}
