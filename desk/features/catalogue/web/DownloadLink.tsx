import type { ReactNode } from 'react'

/** Downloads a version as a file that can be edited and uploaded again. The link works without JavaScript. */
export const DownloadLink = ({ number, children }: { number: number; children: ReactNode }) => (
  <a href={`/api/desk/catalogue/versions/${number}/file/`} download={`catalogue-${number}.json`}>
    {children}
  </a>
)
