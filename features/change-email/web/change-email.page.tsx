import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { LongWait } from '#kit/web/widgets/LongWait.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import { type MailLink, useMailLink } from '#features/account/web/use-mail-link.ts'
import { useTabVisible } from '#features/account/web/use-tab-visible.ts'
import { reloadAccount } from '#features/auth/web/account.queries.ts'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { useUser } from '#features/auth/web/use-user.ts'
import { changeEmailMessages, confirmChangeEmail } from '../change-email.contract.ts'
import { ChangeEmailSteps } from './ChangeEmailSteps.tsx'
import { changeEmailQuery } from './change-email.queries.ts'

/** The page for changing the email address (spec 4). The link in the email to the new address also opens this page. */
export default function ChangeEmailPage() {
  const api = useApi()
  const client = useQueryClient()
  const user = useUser()
  const query = changeEmailQuery(api)
  const { data: change, error, refetch } = useQuery({ ...query, retryOnMount: false })
  const refreshAccount = () => void reloadAccount(api, client)
  const link = useMailLink({
    ready: user !== null,
    async follow(token) {
      try {
        return (await api.call(confirmChangeEmail, { body: { token } })).data
      } catch (failure) {
        // The link may be invalid because the email change has ended, so reload its state.
        if (failure instanceof ApiError && failure.status === 400) await refetch()
        throw failure
      }
    },
    onSuccess(finished) {
      client.setQueryData(query.queryKey, finished)
      refreshAccount()
    },
  })
  useTabVisible(() => {
    if (change?.state === 'VERIFIED') void refetch().then(refreshAccount)
  })

  return (
    <AccountFrame title="Change Email">
      <LinkProgress link={link} />
      {link.status !== 'pending' &&
        (change && user ? (
          <ChangeEmailSteps change={change} user={user} />
        ) : error ? (
          <Unavailable what={unavailableMessage} error={error} onRetry={() => void refetch()} />
        ) : (
          <Card>
            <Skeleton lines={6} />
          </Card>
        ))}
    </AccountFrame>
  )
}

const unavailableMessage = 'Your email change can’t be loaded right now.'

function LinkProgress({ link: { status, error, retry } }: { link: MailLink }) {
  return (
    <div role="status">
      {status === 'pending' && (
        <Card>
          One moment, we are confirming your new email address.
          <LongWait />
        </Card>
      )}
      {status === 'refused' && <Banner kind="bad">{changeEmailMessages.linkInvalid}</Banner>}
      {status === 'failed' && (
        <Card>
          <FailureBanner error={error} />
          <Button onClick={retry}>Try Again</Button>
        </Card>
      )}
    </div>
  )
}
