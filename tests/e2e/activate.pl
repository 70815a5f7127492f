# Starts a program as a service manager does that listens for it: activate.pl SOCKET PROGRAM...
# The program gets the listening socket as descriptor 3 (sd_listen_fds(3)).
use strict;
use warnings;
use Fcntl;
use POSIX ();
use Socket;

my ($path, @command) = @ARGV;
unlink $path;
$^F = 3;    # descriptors up to this one outlive exec
socket(my $listening, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
bind($listening, pack_sockaddr_un($path)) or die "bind: $!";
listen($listening, 16) or die "listen: $!";
POSIX::dup2(fileno($listening), 3) == 3 or die "dup2: $!" if fileno($listening) != 3;
$ENV{LISTEN_PID} = $$;
$ENV{LISTEN_FDS} = 1;
exec { $command[0] } @command or die "exec: $!";
