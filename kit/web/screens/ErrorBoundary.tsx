import { Component, type ReactNode } from 'react'
import { tellFault } from '../fault.ts'
import { ErrorScreen } from './ErrorScreen.tsx'

type Props = {
  children: ReactNode
  /** Shows nothing in place of what failed: for parts that a page can do without. */
  silent?: boolean
}

/** A part that fails to render shows the error page in its place, with reloading as the way out. Key it to try again. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state: { failed: boolean } = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    tellFault('render', error)
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return this.props.silent ? null : <ErrorScreen onRetry={() => location.reload()} />
  }
}
