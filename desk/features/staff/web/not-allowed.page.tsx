import { DeskNotice } from '#kit/web/desk/DeskNotice.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { roleLabel } from './me.labels.ts'
import { useMe } from './me.queries.ts'
import { allowedGroupsFromUrl, allowedGroupsText } from './not-allowed.labels.ts'

export default function NotAllowedPage() {
  const me = useMe()
  const groups = allowedGroupsFromUrl(useRawLocation().search)
  const sentences = [
    ...(groups.length > 0 ? [`It is only for ${allowedGroupsText(groups)}.`] : []),
    ...(me ? [`Your roles: ${roleLabel(me)}.`] : []),
    'If you need it for your work, ask an admin to change your roles.',
  ]
  return <DeskNotice title="You can’t open that page">{sentences.join(' ')}</DeskNotice>
}
