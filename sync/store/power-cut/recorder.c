/*
 * Records, in their order, what a process does to the files of one directory, so that a test can play it back up to any
 * point and see what a power cut there would have left. Preloaded into the process by LD_PRELOAD; CUT_DIR names the
 * directory, CUT_LOG the file for the records. What the process says on its standard output is recorded among them: it
 * acknowledges something.
 *
 * A record, its numbers little-endian: kind (1 byte), length of the file's name (4), the name in the directory, offset
 * (8), length of the data (4), the data. Kinds: W written, T cut to the length `offset`, S synced, U unlinked,
 * A acknowledged. The name is empty for the directory itself.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static const char *dir;
static size_t dir_length;
static int log_file = -1;

__attribute__((constructor)) static void open_log(void) {
	const char *path = getenv("CUT_LOG");
	dir = getenv("CUT_DIR");
	if (!dir || !path) return;
	dir_length = strlen(dir);
	log_file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (log_file < 0) abort();
}

/* The part of a path behind the directory; NULL for what lies elsewhere, and for memory that is shared as a file. */
static const char *name_of(const char *path) {
	if (log_file < 0 || strncmp(path, dir, dir_length) != 0) return NULL;
	const char *rest = path + dir_length;
	if (*rest == '\0') return rest;
	if (*rest != '/' || strstr(rest, "-shm")) return NULL;
	return rest + 1;
}

static const char *name_of_file(int file, char path[PATH_MAX]) {
	char link[64];
	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
	if (length < 0) return NULL;
	path[length] = '\0';
	return name_of(path);
}

static void record(char kind, const char *name, uint64_t offset, const void *data, uint32_t length) {
	uint32_t name_length = strlen(name);
	struct iovec parts[] = {
		{&kind, 1}, {&name_length, 4}, {(void *)name, name_length}, {&offset, 8}, {&length, 4}, {(void *)data, length},
	};
	ssize_t whole = 17 + name_length + length;
	/* A recording with a hole in it would prove nothing. */
	if (syscall(SYS_writev, log_file, parts, 6) != whole) abort();
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
	char path[PATH_MAX];
	const char *name = name_of_file(file, path);
	if (!name) return syscall(SYS_pwrite64, file, data, length, offset);
	pthread_mutex_lock(&one_at_a_time);
	ssize_t written = syscall(SYS_pwrite64, file, data, length, offset);
	if (written > 0) record('W', name, offset, data, written);
	pthread_mutex_unlock(&one_at_a_time);
	return written;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
	return pwrite64(file, data, length, offset);
}

ssize_t write(int file, const void *data, size_t length) {
	char path[PATH_MAX];
	const char *name = name_of_file(file, path);
	int acknowledges = log_file >= 0 && file == STDOUT_FILENO;
	if (!name && !acknowledges) return syscall(SYS_write, file, data, length);
	pthread_mutex_lock(&one_at_a_time);
	off64_t offset = name ? syscall(SYS_lseek, file, 0, SEEK_CUR) : 0;
	ssize_t written = syscall(SYS_write, file, data, length);
	if (written > 0) record(name ? 'W' : 'A', name ? name : "", offset, data, written);
	pthread_mutex_unlock(&one_at_a_time);
	return written;
}

int ftruncate64(int file, off64_t length) {
	char path[PATH_MAX];
	const char *name = name_of_file(file, path);
	if (!name) return syscall(SYS_ftruncate, file, length);
	pthread_mutex_lock(&one_at_a_time);
	int failed = syscall(SYS_ftruncate, file, length);
	if (!failed) record('T', name, length, NULL, 0);
	pthread_mutex_unlock(&one_at_a_time);
	return failed;
}

int ftruncate(int file, off_t length) {
	return ftruncate64(file, length);
}

static int sync_file(int file, long call) {
	char path[PATH_MAX];
	const char *name = name_of_file(file, path);
	if (!name) return syscall(call, file);
	pthread_mutex_lock(&one_at_a_time);
	int failed = syscall(call, file);
	if (!failed) record('S', name, 0, NULL, 0);
	pthread_mutex_unlock(&one_at_a_time);
	return failed;
}

int fsync(int file) {
	return sync_file(file, SYS_fsync);
}

int fdatasync(int file) {
	return sync_file(file, SYS_fdatasync);
}

int unlink(const char *path) {
	const char *name = name_of(path);
	if (!name) return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
	pthread_mutex_lock(&one_at_a_time);
	int failed = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
	if (!failed) record('U', name, 0, NULL, 0);
	pthread_mutex_unlock(&one_at_a_time);
	return failed;
}
