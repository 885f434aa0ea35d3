/** This path has a file of its own, so that a page can send an error report without loading the endpoint's schema. */
export const deskErrorReportPath = '/api/desk/errors/'
