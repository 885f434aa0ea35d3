export const replyWords = {
  NZ: {
    title: 'Reply YES to the text',
    late: 'The network has not said yet whether your Yes was in time.',
    timer: 'Time left for your Yes',
    left: (minutes: number) => `${minutes} minutes left to reply YES.`,
  },
  AU: {
    title: 'Enter the code from the text',
    late: 'The network has not said yet whether your code was in time.',
    timer: 'Time left for your code',
    left: (minutes: number) => `${minutes} minutes left to enter the code.`,
  },
} as const
