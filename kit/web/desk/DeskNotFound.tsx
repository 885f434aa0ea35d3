import { DeskNotice } from './DeskNotice.tsx'

export const DeskNotFound = ({ children }: { children?: string }) => (
  <DeskNotice title="Page not found">{children ?? 'The address is wrong, or this page no longer exists.'}</DeskNotice>
)
